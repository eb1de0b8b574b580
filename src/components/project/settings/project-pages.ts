/**
 * The pages of a project, in the order in which they are listed. A page is a line here, a route, a page-data
 * function and a row in the table of who may do what. `isReadOnlyForMembers`: members see its forms disabled.
 */
export const projectPages = [
  { page: 'general', to: '/projects/$slug', label: 'General', isReadOnlyForMembers: false },
  { page: 'setup', to: '/projects/$slug/setup', label: 'Set-up', isReadOnlyForMembers: false },
  { page: 'keys', to: '/projects/$slug/keys', label: 'Keys', isReadOnlyForMembers: false },
  { page: 'inbound', to: '/projects/$slug/inbound', label: 'Inbound', isReadOnlyForMembers: true },
  { page: 'scrubbing', to: '/projects/$slug/scrubbing', label: 'Scrubbing', isReadOnlyForMembers: true },
  { page: 'grouping', to: '/projects/$slug/grouping', label: 'Grouping', isReadOnlyForMembers: true },
  { page: 'upstreams', to: '/projects/$slug/upstreams', label: 'Upstreams', isReadOnlyForMembers: false },
  {
    page: 'source-maps',
    to: '/projects/$slug/source-maps',
    label: 'Source maps',
    isReadOnlyForMembers: false,
  },
  { page: 'limits', to: '/projects/$slug/limits', label: 'Limits and retention', isReadOnlyForMembers: true },
  { page: 'members', to: '/projects/$slug/members', label: 'Members', isReadOnlyForMembers: false },
  { page: 'danger', to: '/projects/$slug/danger', label: 'Danger zone', isReadOnlyForMembers: false },
] as const
