//! A filter (see filters.py) around the crate `linkify`; with the argument "bare" also of URLs without a scheme.

use linkify::{LinkFinder, LinkKind};
use std::io::{self, BufRead, Read, Write};

fn main() -> io::Result<()> {
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url]);
    finder.url_must_have_scheme(std::env::args().len() < 2);
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    // A crate does not know its own version: the lock file, which is made when this is built, does.
    let lock = include_str!("../Cargo.lock");
    let version = lock.split("name = \"linkify\"\nversion = \"").nth(1).and_then(|rest| rest.split('"').next());
    writeln!(output, "{}", version.unwrap_or("of unknown version"))?;
    output.flush()?;
    let mut length = String::new();
    while input.read_line(&mut length)? > 0 {
        let mut octets = vec![0; length.trim().parse().map_err(io::Error::other)?];
        input.read_exact(&mut octets)?;
        let text = String::from_utf8(octets).map_err(io::Error::other)?;
        let (mut at, mut points) = (0, 0);
        let mut places = Vec::new();
        for link in finder.links(&text) {
            let start = points + text[at..link.start()].chars().count();
            points = start + link.as_str().chars().count();
            at = link.end();
            places.push(format!("{start}:{points}"));
        }
        writeln!(output, "{}", places.join(" "))?;
        output.flush()?;
        length.clear();
    }
    Ok(())
}
