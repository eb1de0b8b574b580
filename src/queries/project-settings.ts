import { queryOptions } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'
import {
  fetchNewProject,
  fetchProjectSetup,
  fetchProjectGeneral,
  fetchProjectInbound,
  fetchProjectGrouping,
  fetchProjectScrubbing,
  fetchProjectLimits,
  fetchProjectMembers,
  fetchProjectKeys,
  fetchProjectSourceMaps,
  fetchProjectUpstreams,
} from '#server/console/project-settings.functions.ts'

type FetchPage<TView> = (call: { data: { slug: string }; signal: AbortSignal }) => Promise<TView>

function pageQuery<TView>(page: string, fetchPage: FetchPage<TView>) {
  return (slug: string) =>
    queryOptions({
      queryKey: ['projects', 'page', slug, page],
      queryFn: ({ signal }) => fetchPage({ data: { slug }, signal }),
      ...queryTimes('live'),
    })
}

/** The pages of one project, by its slug. */
export const projectPageQueries = {
  general: pageQuery('general', fetchProjectGeneral),
  inbound: pageQuery('inbound', fetchProjectInbound),
  grouping: pageQuery('grouping', fetchProjectGrouping),
  scrubbing: pageQuery('scrubbing', fetchProjectScrubbing),
  limits: pageQuery('limits', fetchProjectLimits),
  members: pageQuery('members', fetchProjectMembers),
  setup: pageQuery('setup', fetchProjectSetup),
  keys: pageQuery('keys', fetchProjectKeys),
  upstreams: pageQuery('upstreams', fetchProjectUpstreams),
}

/** The source maps of a project, of one release where it is named. */
export function projectSourceMapsQuery(slug: string, release: string | undefined) {
  return queryOptions({
    queryKey: ['projects', 'page', slug, 'source-maps', release],
    queryFn: ({ signal }) => fetchProjectSourceMaps({ data: { slug, release }, signal }),
    ...queryTimes('live'),
  })
}

/** Where one can make a project. */
export function newProjectQuery() {
  return queryOptions({
    queryKey: ['projects', 'new'],
    queryFn: ({ signal }) => fetchNewProject({ signal }),
    ...queryTimes('live'),
  })
}
