import type { ExceptionValue } from '#protocol/event.ts'

type Likeness = (exception: ExceptionValue) => string

/** The members of a group, without repetitions, by their likeness. */
interface Members {
  tree: ExceptionTree
  distinct: Map<string, ExceptionValue>
}

/** The exceptions of an event by their mechanisms' ids. */
interface ExceptionTree {
  root: ExceptionValue
  childrenOf: Map<ExceptionValue, ExceptionValue[]>
}

/**
 * The exceptions that identify an issue: a plain chain unchanged, a group (Python's `ExceptionGroup`,
 * JavaScript's `AggregateError`, .NET's `AggregateException`) without its group nodes and its repetitions.
 *
 * `likenessOf` returns equal texts for exceptions that are equal for grouping. Source: Sentry's RFC 0079.
 */
export function telltaleExceptions(exceptions: ExceptionValue[], likenessOf: Likeness): ExceptionValue[] {
  const members = distinctMembers(exceptions, likenessOf)
  const [only, second] = members?.distinct.values() ?? []
  if (members === undefined || only === undefined) return exceptions
  if (second === undefined) return listFirstPath(only, members.tree)
  return [...members.distinct]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([, member]) => member)
}

/** The member of an exception group of which all others are repetitions; undefined without a group. */
export function findOnlyMember(
  exceptions: ExceptionValue[],
  likenessOf: Likeness,
): ExceptionValue | undefined {
  const { distinct } = distinctMembers(exceptions, likenessOf) ?? {}
  return distinct?.size === 1 ? distinct.values().next().value : undefined
}

/** Undefined if the exceptions are a plain chain. */
function distinctMembers(exceptions: ExceptionValue[], likenessOf: Likeness): Members | undefined {
  if (!exceptions.some(isGroup)) return undefined
  const tree = toTree(exceptions)
  if (tree === undefined) return undefined
  const distinct = new Map<string, ExceptionValue>()
  for (const member of listMembers(tree)) {
    const likeness = likenessOf(member)
    if (!distinct.has(likeness)) distinct.set(likeness, member)
  }
  return { tree, distinct }
}

function isGroup(exception: ExceptionValue): boolean {
  return exception.mechanism?.isExceptionGroup === true
}

/**
 * Undefined if an id is missing or occurs twice, or if there is not exactly one root: the list is then a
 * plain chain.
 */
function toTree(exceptions: ExceptionValue[]): ExceptionTree | undefined {
  const byId = new Map<number, ExceptionValue>()
  for (const exception of exceptions) {
    const id = exception.mechanism?.exceptionId
    if (id === undefined || byId.has(id)) return undefined
    byId.set(id, exception)
  }
  const roots: ExceptionValue[] = []
  const childrenOf = new Map<ExceptionValue, ExceptionValue[]>()
  // The payload has the root last, so the reverse order puts first children first.
  for (const exception of exceptions.toReversed()) {
    const parentId = exception.mechanism?.parentId
    const parent = parentId === undefined ? undefined : byId.get(parentId)
    if (parent === undefined) roots.push(exception)
    else childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), exception])
  }
  const [root, second] = roots
  return root === undefined || second !== undefined ? undefined : { root, childrenOf }
}

/**
 * The outermost exceptions below the root that are not groups.
 *
 * Every node has one parent and the root none, so there is no cycle below the root.
 */
function listMembers(tree: ExceptionTree): ExceptionValue[] {
  const members: ExceptionValue[] = []
  const pending = [tree.root]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (isGroup(node)) pending.push(...(tree.childrenOf.get(node) ?? []).toReversed())
    else members.push(node)
  }
  return members
}

/** An exception with its causes, root cause first, following the first cause if there are several. */
function listFirstPath(exception: ExceptionValue, tree: ExceptionTree): ExceptionValue[] {
  const path: ExceptionValue[] = []
  for (let node: ExceptionValue | undefined = exception; node; node = tree.childrenOf.get(node)?.[0])
    path.unshift(node)
  return path
}
