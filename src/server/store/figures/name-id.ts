import { hash } from 'node:crypto'
import { first53Bits } from '#server/store/issues/id.ts'
import type { Figure } from '#traces/figures.ts'
import { textOfTransaction, type NamedTransaction } from '#traces/transaction-name.ts'

/** The id of a name: 53 bits of a hash, which each process computes independently. */
export function figureNameId({ kind, op, name }: Pick<Figure, 'kind' | 'op' | 'name'>): number {
  return first53Bits(hash('sha256', `figure:${kind}:${op}:${name}`))
}

/** The facet of spans by their transaction (`textOfTransaction`): short, because it is part of a key. */
export function transactionFacet(text: string): string {
  return first53Bits(hash('sha256', `transaction:${text}`)).toString(36)
}

/**
 * The facets of the spans of a transaction: its own, and the one for all transactions of its name, which
 * counts spans that arrived without their root span, and those counted by earlier versions.
 */
export function facetsOfTransaction({ name, op }: NamedTransaction): { own: string; shared: string } {
  return { own: transactionFacet(textOfTransaction({ name, op })), shared: transactionFacet(name) }
}
