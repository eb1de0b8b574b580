/** Returns the key of a tag as a search names it: `region`, `tags[a/b]`. Undefined if none can. */
export function toTagKey(tagKey: string): string | undefined {
  return /^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(tagKey) ? tagKey : toExplicitKey(tagKey)
}

/** The same for a tag whose name has another meaning in a search. */
export function toExplicitKey(tagKey: string): string | undefined {
  return /^[^\]\s]{1,200}$/.test(tagKey) ? `tags[${tagKey}]` : undefined
}

/** The feature flag that a key of a search names: `new-checkout` of `flags["new-checkout"]`. */
export function parseFlagKey(key: string): string | undefined {
  return /^flags\["?([^"]+)"?\]$/.exec(key)?.[1]
}

/** The tag that a key of a search names explicitly: `level` of `tags[level]`. Undefined for other keys. */
export function parseTagKey(key: string): string | undefined {
  return /^tags\[(.+)\]$/.exec(key)?.[1]
}
