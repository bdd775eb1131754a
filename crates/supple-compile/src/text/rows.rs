//! Rows of matrix products in C: results that stand together and are sums of products with the same factors become one vector of GNU C, in fewer
//! and shorter instructions. Elsewhere they are an array. Each number is rounded as it is alone.

use super::{Language, Style};
use crate::program::{Program, operands};
use crate::schedule::Parts;
use std::fmt::Write as _;
use std::ops::Range;
use supple::spatial::scalar::traced::{Binary, Operation, Unary};

/// Numbers of a vector.
const WIDTH: usize = 8;

/// Fewest numbers for which filling a vector pays.
const LEAST: usize = 4;

const WORDS: &str = "\
/* Eight numbers, their products with one, and sums of these. */
#if defined(__GNUC__)
typedef double supple_row __attribute__((vector_size(64)));
#define SUPPLE_FIRST(s, a, b) supple_row s = (a) * (b)
#define SUPPLE_NEXT(s, a, b) s += (a) * (b)
#else
typedef double supple_row[8];
#define SUPPLE_FIRST(s, a, b) supple_row s; for (int k = 0; k < 8; k++) s[k] = (a) * (b)[k]
#define SUPPLE_NEXT(s, a, b) for (int k = 0; k < 8; k++) s[k] += (a) * (b)[k]
#endif

";

/// One number as a sum of products, the first of them perhaps with the other sign.
struct Chain {
    negative: bool,
    products: Vec<[u32; 2]>,
    /// Its operations, the last one first.
    operations: Vec<u32>,
}

impl Chain {
    /// The one that ends in an operation and of which nothing else reads a part.
    fn new(program: &Program, users: &[Vec<u32>], end: u32) -> Option<Self> {
        let mut chain = Self { negative: false, products: Vec::new(), operations: Vec::new() };
        let mut at = end;
        loop {
            if at != end && users[at as usize].len() > 1 {
                return None;
            }
            chain.operations.push(at);
            at = match program.operations[at as usize] {
                Operation::MulAdd(a, b, rest) if !chain.negative => {
                    chain.products.push([a, b]);
                    rest
                }
                Operation::Unary(Unary::Negative, product) if !chain.negative => {
                    chain.negative = true;
                    product
                }
                Operation::Binary(Binary::Product, a, b) => {
                    chain.products.push([a, b]);
                    chain.products.reverse();
                    return (chain.products.len() > 1).then_some(chain);
                }
                _ => return None,
            };
        }
    }
}

/// Numbers of a row, each with what it multiplies the factors by.
pub(super) struct Row {
    /// The numbers.
    pub numbers: Vec<u32>,
    negative: bool,
    factors: Vec<u32>,
    /// Per factor: what it is multiplied by, one of them for each number.
    others: Vec<Vec<u32>>,
    /// What is done in the row alone.
    operations: Vec<u32>,
}

impl Row {
    /// Of so many chains from the first on as share their factors.
    fn new(numbers: &[u32], chains: &[Option<Chain>]) -> Option<Self> {
        let first = chains.first()?.as_ref()?;
        let mut common: Vec<Vec<u32>> = first.products.iter().map(|pair| pair.to_vec()).collect();
        let mut alike = Vec::new();
        for (i, chain) in chains.iter().enumerate().take(WIDTH) {
            let Some(chain) = chain else { break };
            let shape = chain.negative == first.negative && chain.products.len() == first.products.len();
            let shared =
                |(all, pair): (&Vec<u32>, &[u32; 2])| all.iter().copied().filter(|a| pair.contains(a)).collect();
            let fewer: Vec<Vec<u32>> = common.iter().zip(&chain.products).map(shared).collect();
            if !shape || fewer.iter().any(Vec::is_empty) || numbers[..i].contains(&numbers[i]) {
                break;
            }
            common = fewer;
            alike.push(chain);
        }
        let factors: Vec<u32> = common.iter().map(|all| all[0]).collect();
        let other = |chain: &&Chain, i: usize| {
            let [a, b] = chain.products[i];
            if a == factors[i] { b } else { a }
        };
        let others = (0..factors.len()).map(|i| alike.iter().map(|chain| other(chain, i)).collect()).collect();
        Some(Self {
            numbers: numbers[..alike.len()].to_vec(),
            negative: first.negative,
            factors,
            others,
            operations: alike.iter().flat_map(|chain| chain.operations.iter().copied()).collect(),
        })
    }

    /// The place of all of it: where its last number is made.
    fn place(&self) -> u32 {
        self.numbers.iter().copied().max().unwrap_or(0)
    }

    /// Whether a vector pays, one function makes all of it, and nothing reads a number before the last one is made.
    fn is_worth(&self, users: &[Vec<u32>], ranges: &[Range<usize>]) -> bool {
        let within = |range: &Range<usize>| self.operations.iter().all(|at| range.contains(&(*at as usize)));
        let late = |at: &u32| users[*at as usize].iter().all(|user| *user > self.place());
        self.numbers.len() >= LEAST && ranges.iter().any(within) && self.numbers.iter().all(late)
    }

    /// What it reads.
    pub fn reads(&self) -> impl Iterator<Item = u32> {
        self.factors.iter().chain(self.others.iter().flatten()).copied()
    }

    /// Computes it; `filled` are the vectors that the function has.
    pub fn lines(&self, program: &Program, filled: &mut Vec<Vec<u32>>) -> String {
        let (mut text, name) = (String::new(), |at: u32| program.name_of(Language::C, at as usize));
        let sum = format!("row{}", self.place());
        for (i, (factor, others)) in self.factors.iter().zip(&self.others).enumerate() {
            let known = filled.iter().position(|vector| vector == others);
            let vector = known.unwrap_or_else(|| {
                let list: Vec<_> = others.iter().map(|at| name(*at)).collect();
                let _ = writeln!(text, "    const supple_row filled{} = {{{}}};", filled.len(), list.join(", "));
                filled.push(others.clone());
                filled.len() - 1
            });
            let word = if i == 0 { "FIRST" } else { "NEXT" };
            let sign = if i == 0 && self.negative { "-" } else { "" };
            let _ = writeln!(text, "    SUPPLE_{word}({sum}, {sign}{}, filled{vector});", name(*factor));
        }
        for (k, at) in self.numbers.iter().enumerate() {
            let value = format!("{sum}[{k}]");
            let _ =
                writeln!(text, "{}", Language::C.definition(&program.operations[*at as usize], *at as usize, &value));
        }
        text
    }
}

/// All rows of a program.
pub(super) struct Rows {
    rows: Vec<Row>,
    /// Per operation: its row.
    of: Vec<Option<usize>>,
}

impl Rows {
    /// Those among the results, in C; `fma` asks for the words of the language instead.
    pub fn new(program: &Program, language: Language, style: Style, parts: &Parts) -> Self {
        let mut all = Self { rows: Vec::new(), of: vec![None; program.operations.len()] };
        if language != Language::C || style.fma {
            return all;
        }
        let mut users = vec![Vec::new(); program.operations.len()];
        for (at, operation) in program.operations.iter().enumerate() {
            operands(operation).for_each(|a| users[a as usize].push(at as u32));
        }
        let results = &program.results;
        // Results are read after all.
        results.iter().for_each(|at| users[*at as usize].push(u32::MAX));
        let chains: Vec<_> = results.iter().map(|at| Chain::new(program, &users, *at)).collect();
        let mut i = 0;
        while i < results.len() {
            let row = Row::new(&results[i..], &chains[i..]);
            i += row.as_ref().map_or(1, |row| row.numbers.len().max(1));
            let free = |row: &Row| row.operations.iter().all(|at| all.of[*at as usize].is_none());
            if let Some(row) = row.filter(|row| free(row) && row.is_worth(&users, &parts.ranges)) {
                row.operations.iter().for_each(|at| all.of[*at as usize] = Some(all.rows.len()));
                all.rows.push(row);
            }
        }
        all
    }

    /// What they need in front of them.
    pub fn words(&self) -> &'static str {
        if self.rows.is_empty() { "" } else { WORDS }
    }

    /// Of an operation in a row: the row where it stands there, nothing where another place makes it.
    pub fn at(&self, at: usize) -> Option<Option<&Row>> {
        let row = &self.rows[self.of[at]?];
        Some((row.place() as usize == at).then_some(row))
    }
}
