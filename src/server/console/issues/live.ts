import { reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import type { Services } from '#server/services.ts'

/** The stream of changes in the projects that the viewer has access to; undefined if too many are open. */
export function openLiveStream(
  { live, accounts }: Pick<Services, 'live' | 'accounts'>,
  viewer: Viewer,
  headers: Headers,
): ReadableStream<Uint8Array> | undefined {
  return live.open({
    userId: viewer.userId,
    projectIds: reachableProjects(viewer),
    async findReach() {
      const now = await accounts.findViewer(headers)
      return now && reachableProjects(now)
    },
  })
}
