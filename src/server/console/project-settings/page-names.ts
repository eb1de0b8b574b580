/** The pages of a project's settings. */
export const projectPageNames = [
  'general',
  'setup',
  'keys',
  'inbound',
  'scrubbing',
  'grouping',
  'upstreams',
  'source-maps',
  'limits',
  'members',
  'danger',
] as const

export type ProjectPageName = (typeof projectPageNames)[number]
