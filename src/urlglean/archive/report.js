"use strict";
// Where a script may run, a click on the heading of a column sorts its table. The page is complete without.
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  if (body.rows.length < 2) continue;
  heads.forEach((head, at) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const numeric = /number|share|confidence/.test(head.className);
      const first = numeric ? "descending" : "ascending";
      const now = head.getAttribute("aria-sort");
      const order = now === null ? first : now === "ascending" ? "descending" : "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", order);
      const key = (row) => {
        const cell = row.cells[at];
        return numeric ? Number(cell.dataset.value ?? -Infinity) : cell.textContent.trim();
      };
      const compare = (a, b) => (numeric ? a - b : a < b ? -1 : a > b ? 1 : 0);
      const sign = order === "ascending" ? 1 : -1;
      const rows = [...body.rows].map((row) => [key(row), row]);
      rows.sort((a, b) => sign * compare(a[0], b[0]));
      body.append(...rows.map((pair) => pair[1]));
    });
  });
}
