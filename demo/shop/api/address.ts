import { readJson } from '../json.ts'

export interface Address {
  country: 'DE' | 'FR' | 'NL' | 'US'
  postalCode: string
  city: string
}

class ValidationError extends Error {
  override readonly name = 'ValidationError'
  readonly field: string

  constructor(field: string, problem: string) {
    super(`${field}: ${problem}`)
    this.field = field
  }
}

const postalCodes = { DE: /^\d{5}$/, FR: /^\d{5}$/, NL: /^\d{4} ?[A-Z]{2}$/, US: /^\d{5}(-\d{4})?$/ }

export function validateAddress(body: string): Address {
  const address = readJson<Address>(body)
  checkPostalCode(address)
  return address
}

function checkPostalCode({ country, postalCode }: Address): void {
  if (postalCodes[country].test(postalCode)) return
  throw new ValidationError('postalCode', `does not look like one of ${country}`)
}
