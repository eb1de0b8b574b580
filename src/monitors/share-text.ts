/** A share as a percentage that is 100 % only if nothing failed: `99.98 %`. */
export function okShareText(share: number): string {
  const digits = share >= 0.999 ? 3 : 2
  const floored = Math.floor(share * 100 * 10 ** digits) / 10 ** digits
  return `${floored === 100 ? '100' : floored.toFixed(digits)} %`
}
