import type { Random } from './random.ts'

/** A customer of the demo's shop. */
export interface Customer {
  id: string
  email: string
  username: string
  tier: 'guest' | 'member' | 'gold'
}

const names = [
  'ada',
  'bjarne',
  'carla',
  'dmitri',
  'elif',
  'farid',
  'greta',
  'hana',
  'ines',
  'jonas',
  'kwame',
  'lucia',
  'mei',
  'nils',
  'oona',
  'paolo',
  'quinn',
  'rosa',
  'sven',
  'tara',
  'umar',
  'vera',
  'wim',
  'xenia',
  'yusuf',
  'zoe',
  'amina',
  'boris',
  'chloe',
  'dora',
  'emil',
  'freya',
  'goran',
  'hugo',
  'ivy',
  'jun',
  'kaja',
  'liam',
  'mona',
  'noor',
]

const tiers = ['guest', 'member', 'member', 'gold'] as const

/** The forty customers of the shop. */
const customers: readonly Customer[] = names.map((name, index) => ({
  id: String(1001 + index * 7),
  email: `${name}@example.com`,
  username: name,
  tier: tiers[index % tiers.length] ?? 'guest',
}))

/** A customer; the first ones shop much more often than the last ones. */
export function pickCustomer(random: Random): Customer {
  const index = Math.floor(random() ** 2 * customers.length)
  const customer = customers[index] ?? customers[0]
  if (customer === undefined) throw new Error('the shop has no customers')
  return customer
}
