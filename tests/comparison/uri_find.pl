# A filter (see filters.py) around URI::Find; with the argument "bare", around URI::Find::Schemeless.
use strict;
use warnings;
use URI::Find;
use URI::Find::Schemeless;

# One "<" after another that nothing closes costs it the square of the text: the signal ends the program.
use constant SECONDS_A_TEXT => 60;

my $class = @ARGV ? 'URI::Find::Schemeless' : 'URI::Find';
# It tells what it finds and not where. So each URL comes back between two signs that are in no text; and since white
# space goes where it looks into "<...>", places are counted in the characters that are none.
my ($open, $close) = ("\x{FDD0}", "\x{FDD1}");
my $finder = $class->new(sub { "$open$_[1]$close" });

sub solid { my ($text) = @_; $text =~ s/\s+//g; return length $text }

binmode STDIN;
$| = 1;
print URI::Find->VERSION, ", URI ", URI->VERSION, "\n";
while (defined(my $length = <STDIN>)) {
    read(STDIN, my $text, $length) == $length or last;
    utf8::decode($text);
    my $marked = $text;
    alarm SECONDS_A_TEXT;
    $finder->find(\$marked);
    alarm 0;
    my ($before, @solid, @places) = (0);
    while ($marked =~ /\G([^$open]*)$open([^$close]*)$close/g) {
        my ($between, $url) = ($1, $2);
        my $start = $before + solid($between);
        $before = $start + solid($url);
        push @solid, [$start, $before - 1];
    }
    my $at = -1;
    for my $place (@solid) {
        my @ends;
        for my $wanted (@$place) {
            while ($at < $wanted) { $text =~ /\S/g or die "the count is off"; $at++ }
            push @ends, pos($text) - 1;
        }
        push @places, join ':', $ends[0], $ends[1] + 1;
    }
    print "@places\n";
}
