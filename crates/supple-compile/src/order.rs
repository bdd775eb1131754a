//! Orders of operations in which numbers live short.
//!
//! The order of the recording is that of the sweeps, body by body, and hard to beat: a depth-first order from the results takes up to twice
//! the numbers alive at once, as it draws what several results share apart. So the order stays, but for two changes. What makes nothing else
//! live longer sinks to where it is needed first, with all that serves it alone; then, among the operations at hand, those come first that
//! free more numbers than they make.

use crate::program::{Program, operands};
use supple::spatial::scalar::traced::Operation;

/// Most operations that sink together.
const CONE: usize = 200;

/// Operations at hand.
const WINDOW: usize = 50;

/// Whether an operation gives a number that is in memory anyway.
fn is_free(program: &Program, at: u32) -> bool {
    !program.is_computed(at as usize)
}

/// Sines and cosines of inputs come first, those of one angle together: code computes several at once.
pub(crate) fn sines_first(program: &Program) -> Vec<u32> {
    let place = |at: &u32| match program.operations[*at as usize] {
        Operation::Input(i) => (0, i),
        _ => match program.angle_of_input(*at as usize) {
            Some(i) => (1, i),
            None => (2, 0),
        },
    };
    let mut order: Vec<u32> = (0..program.operations.len() as u32).collect();
    order.sort_by_key(place);
    order
}

/// Operands of an operation that are not in memory anyway, each once.
fn numbers(program: &Program, at: u32) -> Vec<u32> {
    let mut list: Vec<u32> =
        operands(&program.operations[at as usize]).filter(|operand| !is_free(program, *operand)).collect();
    list.sort_unstable();
    list.dedup();
    list
}

/// Operations that read each.
fn users(program: &Program) -> Vec<Vec<u32>> {
    let mut users = vec![Vec::new(); program.operations.len()];
    for (at, operation) in program.operations.iter().enumerate() {
        operands(operation).for_each(|operand| users[operand as usize].push(at as u32));
    }
    users
}

/// Operations that serve one alone, directly or through each other, and those that all of them read.
struct Cone {
    members: Vec<u32>,
    leaves: Vec<u32>,
}

/// Sinks operations, each with its cone, to the first that needs them, where no other number lives longer for it.
pub(crate) fn sunk(program: &Program) -> Vec<u32> {
    let count = program.operations.len();
    let users = users(program);
    // Per operation: the one before which it stands.
    let mut anchor: Vec<u32> = (0..count as u32).collect();
    // Per operation: the last whose cone it is in.
    let mut owner = vec![u32::MAX; count];
    for at in (0..count as u32).rev() {
        let first = users[at as usize].iter().map(|user| anchor[*user as usize]).min();
        let Some(target) = first.filter(|target| anchor[at as usize] == at && *target > at + 1) else { continue };
        for most in [CONE, 1] {
            let Cone { members, leaves } = cone(program, &users, at, most, &mut owner);
            let lives = |leaf: &u32| {
                users[*leaf as usize].iter().any(|user| !members.contains(user) && anchor[*user as usize] >= target)
            };
            if leaves.iter().all(lives) {
                members.iter().for_each(|member| anchor[*member as usize] = target);
                break;
            }
        }
    }
    let mut order: Vec<u32> = (0..count as u32).collect();
    order.sort_by_key(|at| (anchor[*at as usize], *at));
    order
}

fn cone(program: &Program, users: &[Vec<u32>], top: u32, most: usize, owner: &mut [u32]) -> Cone {
    let mut members = vec![top];
    // Cones of one operation are asked for from large to small: what an earlier one left does not count.
    owner[top as usize] = if most > 1 { top } else { u32::MAX };
    let mut at = 0;
    while at < members.len() && members.len() < most {
        for operand in numbers(program, members[at]) {
            let mine = |user: &u32| owner[*user as usize] == top;
            if members.len() < most && owner[operand as usize] != top && users[operand as usize].iter().all(mine) {
                owner[operand as usize] = top;
                members.push(operand);
            }
        }
        at += 1;
    }
    let mut leaves: Vec<u32> = members.iter().flat_map(|member| numbers(program, *member)).collect();
    leaves.sort_unstable();
    leaves.dedup();
    leaves.retain(|leaf| !members.contains(leaf));
    Cone { members, leaves }
}

/// From the end, of the operations at hand the one goes last that makes the fewest numbers alive before it.
pub(crate) fn tidied(program: &Program) -> Vec<u32> {
    let count = program.operations.len();
    let mut waiting: Vec<usize> = users(program).iter().map(Vec::len).collect();
    let (mut alive, mut done) = (vec![false; count], vec![false; count]);
    let (mut order, mut end) = (Vec::with_capacity(count), count);
    while end > 0 {
        if done[end - 1] {
            end -= 1;
            continue;
        }
        let made = |at: &usize| {
            let new = numbers(program, *at as u32).into_iter().filter(|operand| !alive[*operand as usize]).count();
            new + usize::from(!alive[*at])
        };
        let at_hand = (end.saturating_sub(WINDOW)..end).rev();
        let ready = at_hand.filter(|at| !done[*at] && waiting[*at] == 0);
        // The last one is always ready.
        let next = ready.min_by_key(made).unwrap_or(end - 1);
        (done[next], alive[next]) = (true, false);
        order.push(next as u32);
        operands(&program.operations[next]).for_each(|operand| waiting[operand as usize] -= 1);
        numbers(program, next as u32).into_iter().for_each(|operand| alive[operand as usize] = true);
    }
    order.reverse();
    order
}
