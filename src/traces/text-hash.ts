const prime = 0x01_00_01_93
const offsets = [0x81_1c_9d_c5, 0x9e_37_79_b9] as const

/**
 * A hash of a text as up to 11 letters and digits: FNV-1a (draft-eastlake-fnv) twice, of 32 bits each and
 * with different offset bases. It distinguishes names of a project, and does not protect against deliberate
 * collisions. In JavaScript, because browsers have no synchronous hash.
 */
export function textHash(text: string): string {
  const [first, second] = offsets.map((offset) => {
    let hash: number = offset
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), prime)
    // FNV does not propagate short differences to the highest bits.
    return (hash ^ (hash >>> 15)) >>> 0
  })
  return ((first ?? 0) * 0x20_00_00 + ((second ?? 0) >>> 11)).toString(36)
}
