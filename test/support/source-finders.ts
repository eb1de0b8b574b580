import { parseSync, Visitor, type ESTree } from 'vite'
import { minuteMs } from '../../src/time/time-steps.ts'

/** Where something is in a source, and its text. */
export interface SourceFinding {
  /** From 1. */
  line: number
  text: string
}

type Report = (node: ESTree.Span) => void
type Handlers = ConstructorParameters<typeof Visitor>[0]

function find(source: string, handlersOf: (report: Report) => Handlers): SourceFinding[] {
  const found: SourceFinding[] = []
  const report: Report = ({ start, end }) => {
    found.push({
      line: source.slice(0, start).split('\n').length,
      text: source.slice(start, end).replaceAll(/\s+/g, ' '),
    })
  }
  new Visitor(handlersOf(report)).visit(parseSync('source.tsx', source).program)
  return found
}

function nameOf(node: { type: string; name?: unknown }): string {
  return node.type === 'Identifier' && typeof node.name === 'string' ? node.name : ''
}

const clocks = new Set(['performance', 'process', 'crypto', 'fetch'])
const timers = new Set(['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'])

/** Impure parts of a source: the clock, randomness, timers, the environment, the network. */
export function findImpurity(source: string): SourceFinding[] {
  return find(source, (report) => ({
    NewExpression: (node) => {
      if (nameOf(node.callee) === 'Date' && node.arguments.length === 0) report(node)
    },
    CallExpression: (node) => {
      if (nameOf(node.callee) === 'Date' || timers.has(nameOf(node.callee))) report(node)
    },
    MemberExpression: (node) => {
      const [object, property] = [nameOf(node.object), nameOf(node.property)]
      const isClock = object === 'Date' && property === 'now'
      const isTimer = object === 'globalThis' && (timers.has(property) || clocks.has(property))
      if (isClock || isTimer || (object === 'Math' && property === 'random') || clocks.has(object))
        report(node)
    },
  }))
}

/**
 * Timers of `node:timers/promises` that are imported by the name of a global function.
 * `setImmediate(callback)` then has no type error, and never calls back.
 */
export function findShadowedTimers(source: string): SourceFinding[] {
  return find(source, (report) => ({
    ImportDeclaration: (node) => {
      if (!/^(?:node:)?timers\/promises$/.test(node.source.value)) return
      for (const specifier of node.specifiers) if (timers.has(specifier.local.name)) report(specifier)
    },
  }))
}

/** Products and quotients that are lengths of time: `24 * 3600 * 1000`, `Math.floor(at / step) * step`. */
export function findTimeSteps(source: string): SourceFinding[] {
  const inner = new Set<unknown>()
  return find(source, (report) => ({
    BinaryExpression: (node) => {
      const product = productOf(node)
      if (inner.has(node) || product === undefined) {
        if (isRoundedDown(source, node)) report(node)
        return
      }
      const { literal, isConstant } = product
      markProducts(node, inner)
      const isStep = isConstant ? literal >= minuteMs && literal % minuteMs === 0 : isUnit(literal)
      if (isStep || isRoundedDown(source, node)) report(node)
    },
    Literal: (node) => {
      if (node.value === 60 * minuteMs || node.value === 24 * 60 * minuteMs) report(node)
    },
    VariableDeclarator: (node) => {
      if (/^(?:minute|hour|day)Ms$/.test(nameOf(node.id))) report(node)
    },
  }))
}

function isUnit(milliseconds: number): boolean {
  return [1, 60, 24 * 60].some((minutes) => milliseconds === minutes * minuteMs)
}

interface Product {
  /** Of the numbers among the factors. */
  literal: number
  /** True if all of them are numbers. */
  isConstant: boolean
}

function productOf(node: ESTree.Node): Product | undefined {
  if (node.type === 'Literal' && typeof node.value === 'number')
    return { literal: node.value, isConstant: true }
  if (node.type !== 'BinaryExpression' || node.operator !== '*') return undefined
  const [left, right] = [node.left, node.right].map((each) => productOf(each))
  return {
    literal: (left?.literal ?? 1) * (right?.literal ?? 1),
    isConstant: left?.isConstant === true && right?.isConstant === true,
  }
}

function markProducts(node: ESTree.Node, inner: Set<unknown>): void {
  if (node.type !== 'BinaryExpression' || node.operator !== '*') return
  for (const each of [node.left, node.right]) {
    inner.add(each)
    markProducts(each, inner)
  }
}

function withoutParentheses(node: ESTree.Node): ESTree.Node {
  return node.type === 'ParenthesizedExpression' ? node.expression : node
}

/** `Math.floor(at / step) * step` and `at - (at % step)` */
function isRoundedDown(source: string, { left, right, operator }: ESTree.BinaryExpression): boolean {
  const textOf = ({ start, end }: ESTree.Span) => source.slice(start, end)
  if (operator === '-') {
    const rest = withoutParentheses(right)
    return rest.type === 'BinaryExpression' && rest.operator === '%' && textOf(rest.left) === textOf(left)
  }
  if (operator !== '*' || left.type !== 'CallExpression' || right.type === 'Literal') return false
  const [quotient] = left.arguments
  return (
    /^Math\.(?:floor|trunc)$/.test(textOf(left.callee)) &&
    quotient?.type === 'BinaryExpression' &&
    quotient.operator === '/' &&
    textOf(quotient.right) === textOf(right)
  )
}

/** Waits for a fixed time: they are too short on a busy machine, and too long on every other. */
export function findFixedWaits(source: string): SourceFinding[] {
  return find(source, (report) => ({
    ImportDeclaration: (node) => {
      const isTimers = /^(?:node:)?timers\/promises$/.test(node.source.value)
      // Of the next turn of the event loop each test may wait.
      if (isTimers && /\b(?:setTimeout|setInterval|scheduler)\b/.test(source.slice(node.start, node.end)))
        report(node)
    },
    CallExpression: ({ callee, ...node }) => {
      const isWait =
        callee.type === 'MemberExpression'
          ? nameOf(callee.property) === 'waitForTimeout'
          : /^(?:delay|sleep)$/.test(nameOf(callee))
      if (isWait) report(node)
    },
    NewExpression: (node) => {
      const isPromise = nameOf(node.callee) === 'Promise'
      if (isPromise && /\bsetTimeout\(/.test(source.slice(node.start, node.end))) report(node)
    },
  }))
}

const testFunctions = new Set(['it', 'test', 'describe', 'suite'])

/** Options of a test, or of a group of them, that repeat it where it fails: `{ retry: 2 }`. */
export function findRetries(source: string): SourceFinding[] {
  return find(source, (report) => ({
    CallExpression: ({ callee, arguments: given }) => {
      if (!testFunctions.has(rootOf(callee))) return
      const options = given.flatMap((argument) =>
        argument.type === 'ObjectExpression' ? argument.properties : [],
      )
      for (const option of options) {
        if (option.type === 'Property' && /^retr(?:y|ies)$/.test(nameOf(option.key))) report(option)
      }
    },
  }))
}

/** `test` of `test.describe.configure`, and of `it.each(…)`. */
function rootOf(node: ESTree.Expression | ESTree.Super): string {
  if (node.type === 'MemberExpression') return rootOf(node.object)
  if (node.type === 'CallExpression') return rootOf(node.callee)
  return nameOf(node)
}

const mutators = new Set([
  'set',
  'add',
  'delete',
  'clear',
  'push',
  'pop',
  'shift',
  'unshift',
  'splice',
  'fill',
])
const stateful = /^(?:Weak(?:Map|Set|Ref)|Bounded\w+|\w*Cache|\w*Queue)$/

/** The names of the bindings that keep state from one call to the next. */
export function findModuleState(source: string): string[] {
  const { program } = parseSync('source.tsx', source)
  const kept = new Set<string>()
  const constants = new Set<string>()
  for (const statement of program.body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declaration?.type !== 'VariableDeclaration' || declaration.declare === true) continue
    for (const { id, init } of declaration.declarations) {
      const name = nameOf(id)
      constants.add(name)
      if (declaration.kind === 'let' || declaration.kind === 'var' || isMemory(init)) kept.add(name)
    }
  }
  let depth = 0
  const enter = () => void (depth += 1)
  const leave = () => void (depth -= 1)
  const note = (node: ESTree.Node) => {
    const name = nameOf(node)
    if (depth > 0 && constants.has(name)) kept.add(name)
  }
  new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    CallExpression: ({ callee }) => {
      if (callee.type === 'MemberExpression' && mutators.has(nameOf(callee.property))) note(callee.object)
    },
    AssignmentExpression: ({ left }) => {
      // The position of a regular expression is set before each use.
      if (left.type === 'MemberExpression' && nameOf(left.property) !== 'lastIndex') note(left.object)
    },
    UpdateExpression: ({ argument }) => {
      if (argument.type === 'MemberExpression') note(argument.object)
    },
  }).visit(program)
  return [...kept]
}

function isMemory(init: ESTree.Expression | null): boolean {
  if (init?.type !== 'NewExpression') return false
  const name = nameOf(init.callee)
  return stateful.test(name) || (/^(?:Map|Set)$/.test(name) && init.arguments.length === 0)
}

const statusTexts = [
  /\bupdate\s+(?!(?:issue_parts|alert_deliveries)\b)\S+\s+set\b(?:(?!\bwhere\b)[^`;])*?\b(?:status|status_changed_at)\s*=/gi,
  // Deliveries of alerts have a status, too.
  /(?<!\bupdateTable\(\s*'alert_deliveries'\s*\)\s*)\.set\(\s*\{[^}]*\bstatus(?:_changed_at)?\b/g,
  /\bupdateTable\(\s*'issues'/g,
  /(?:\binsert\s+into\s+|\binsertInto\(\s*')issue_activity\b/gi,
]

/** Statements that write the status of an issue, or its activity. */
export function findStatusWrites(source: string): SourceFinding[] {
  return statusTexts.flatMap((pattern) =>
    [...source.matchAll(pattern)].map((match) => ({
      line: source.slice(0, match.index).split('\n').length,
      text: match[0].replaceAll(/\s+/g, ' '),
    })),
  )
}
