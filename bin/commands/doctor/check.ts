/** The result of one check of `culvert doctor`. */
export interface Check {
  /** `Node.js`, `Mail`: a name of one to three words. */
  name: string
  /** `skipped`: the check does not apply, or lacks an input. */
  status: 'ok' | 'warning' | 'problem' | 'skipped'
  /** The finding. */
  text: string
  /** The solution. */
  remedy?: string
}

/** A passed check. */
export function ok(name: string, text: string): Check {
  return { name, status: 'ok', text }
}

/** A check that does not apply. */
export function skipped(name: string, text: string): Check {
  return { name, status: 'skipped', text }
}

/** Culvert works, but something should be changed. */
export function warning(name: string, text: string, remedy: string): Check {
  return { name, status: 'warning', text, remedy }
}

/** Something does not work. */
export function problem(name: string, text: string, remedy?: string): Check {
  return { name, status: 'problem', text, remedy }
}
