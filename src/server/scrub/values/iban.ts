import type { FindingList } from '#server/scrub/finding-list.ts'

/** Without spaces, or in the usual groups of four. */
const candidate = /(?<![\w-])[A-Z]{2}\d{2}(?:[A-Z\d]{11,30}|(?: [A-Z\d]{4}){2,7}(?: [A-Z\d]{1,3})?)(?![\w-])/g

/**
 * The length of account numbers by country: the IBAN registry (ISO 13616), and countries that use the format
 * without being listed.
 */
const lengths = new Map(
  (
    'AD24 AE23 AL28 AO25 AT20 AZ28 BA20 BE16 BF28 BG22 BH22 BI27 BJ28 BR29 BY28 CF27 CG27 CH21 CI28 CM27 CR22 CV25 CY28 CZ24 ' +
    'DE22 DJ27 DK18 DO28 DZ26 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GA27 GB22 GE22 GI23 GL18 GQ27 GR27 GT28 GW25 HN28 HR21 HU28 ' +
    'IE22 IL23 IQ23 IR26 IS26 IT27 JO30 KM27 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MA28 MC27 MD24 ME22 MG27 MK19 ML28 ' +
    'MN20 MR27 MT31 MU30 MZ25 NE28 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 ' +
    'SM27 SN28 SO23 ST25 SV28 TD27 TG28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

/** Finds IBANs: a country, its length, and valid check digits (ISO 7064, modulo 97). */
export function findIbans(text: string, findings: FindingList): void {
  findings.search(text, candidate, ({ 0: found, index }) => {
    const end = ibanEnd(found)
    if (end > 0) findings.add(index, index + end, 'iban')
  })
}

/** The end of the number; the next word in capitals may look like another group. 0 if there is none. */
function ibanEnd(found: string): number {
  const length = lengths.get(found.slice(0, 2)) ?? 0
  const iban = found.replaceAll(' ', '').slice(0, length)
  if (length === 0 || iban.length < length || !hasCheckDigits(iban)) return 0
  const blankCount = found.charAt(4) === ' ' ? Math.ceil(length / 4) - 1 : 0
  const end = length + blankCount
  return end === found.length || found.charAt(end) === ' ' ? end : 0
}

function hasCheckDigits(iban: string): boolean {
  let remainder = 0
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder === 1
}
