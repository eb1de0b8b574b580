import { hash } from 'node:crypto'
import { first53Bits } from '#server/store/issues/id.ts'
import type { Figure } from '#traces/figures.ts'

/** The id of a name, which any process makes alone: 53 bits of a hash. */
export function figureNameId({ kind, op, name }: Pick<Figure, 'kind' | 'op' | 'name'>): number {
  return first53Bits(hash('sha256', `figure:${kind}:${op}:${name}`))
}

/** The facet of spans by the name of their transaction: short, since it is part of a key. */
export function transactionFacet(name: string): string {
  return first53Bits(hash('sha256', `transaction:${name}`)).toString(36)
}
