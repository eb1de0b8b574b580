/**
 * The pages of a project, in the order in which they are listed. A page is a line here, a route, a page-data function and
 * a row in the table of who may do what.
 */
export const projectPages = [
  { to: '/projects/$slug', label: 'General' },
  { to: '/projects/$slug/setup', label: 'Set-up' },
  { to: '/projects/$slug/keys', label: 'Keys' },
  { to: '/projects/$slug/inbound', label: 'Inbound' },
  { to: '/projects/$slug/scrubbing', label: 'Scrubbing' },
  { to: '/projects/$slug/grouping', label: 'Grouping' },
  { to: '/projects/$slug/upstreams', label: 'Upstreams' },
  { to: '/projects/$slug/source-maps', label: 'Source maps' },
  { to: '/projects/$slug/limits', label: 'Limits and retention' },
  { to: '/projects/$slug/members', label: 'Members' },
  { to: '/projects/$slug/danger', label: 'Danger zone' },
] as const
