/**
 * An instruction of a compiled glob. Addresses are indexes in the program; without one, the next instruction
 * follows.
 */
export type GlobInstruction =
  | { op: 'character'; codePoint: number }
  | { op: 'any' }
  | { op: 'class'; ranges: [from: number, to: number][]; isNegated: boolean }
  | { op: 'split'; first: number; second: number }
  | { op: 'jump'; target: number }
  | { op: 'match' }

/**
 * True if the program accepts the whole text. All paths are followed simultaneously (Thompson's
 * construction), so that each character is read once.
 */
export function runGlobProgram(program: readonly GlobInstruction[], text: string): boolean {
  const seenAt = new Int32Array(program.length).fill(-1)
  let current: number[] = []
  let next: number[] = []
  follow(program, 0, { seenAt, step: 0, reached: current })
  let index = 0
  while (index < text.length && current.length > 0) {
    const codePoint = text.codePointAt(index) ?? 0
    index += codePoint > 0xffff ? 2 : 1
    next.length = 0
    for (const address of current) {
      const instruction = program[address]
      if (instruction !== undefined && accepts(instruction, codePoint)) {
        follow(program, address + 1, { seenAt, step: index, reached: next })
      }
    }
    ;[current, next] = [next, current]
  }
  return index >= text.length && current.some((address) => program[address]?.op === 'match')
}

function accepts(instruction: GlobInstruction, codePoint: number): boolean {
  if (instruction.op === 'character') return instruction.codePoint === codePoint
  if (instruction.op !== 'class') return instruction.op === 'any'
  const isMember = instruction.ranges.some(([from, to]) => from <= codePoint && codePoint <= to)
  return isMember !== instruction.isNegated
}

/** Adds to `reached` every instruction that is reachable from `start` without reading a character. */
function follow(
  program: readonly GlobInstruction[],
  start: number,
  { seenAt, step, reached }: { seenAt: Int32Array; step: number; reached: number[] },
): void {
  const pending = [start]
  for (let address = pending.pop(); address !== undefined; address = pending.pop()) {
    const instruction = program[address]
    if (instruction === undefined || seenAt[address] === step) continue
    seenAt[address] = step
    if (instruction.op === 'split') pending.push(instruction.second, instruction.first)
    else if (instruction.op === 'jump') pending.push(instruction.target)
    else reached.push(address)
  }
}
