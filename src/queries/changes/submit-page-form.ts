import { showNotice } from '#navigation/notices.ts'
import type { FormReply, SubmitAnswer } from '#server/forms/form-views.ts'
import { announceChanges, refreshData, type ChangedData, type PageStore } from './changed-data.ts'
import { describeFailure, sessionEnded } from './failure.ts'
import { sendForm } from './send-form.ts'

const notDone = 'Not saved.'

/**
 * Submits a form of the shown page, once. After a change its data is reloaded, here and in other tabs, and
 * the notice line reports it.
 */
export async function submitPageForm(pages: PageStore, form: FormData): Promise<SubmitAnswer> {
  const { pathname } = pages.router.state.location
  showNotice(undefined)
  try {
    const reply = await sendForm(pathname, form)
    if (reply.kind === 'signed-out') return { kind: 'failed', failure: sessionEnded(notDone) }
    if (reply.kind === 'done') await conclude(pages, { pathname, reply })
    else if (reply.kind === 'shown') await refresh(pages, pathname)
    return reply
  } catch (thrown) {
    return { kind: 'failed', failure: describeFailure(notDone, thrown) }
  }
}

async function conclude(
  pages: PageStore,
  { pathname, reply }: { pathname: string; reply: Extract<FormReply, { kind: 'done' }> },
): Promise<void> {
  const { text, leadsTo, isSignInChanged } = reply
  if (isSignInChanged === true && leadsTo !== undefined) {
    // A full page load, so that data of one user is never shown to another one.
    location.assign(leadsTo)
    return
  }
  if (leadsTo !== undefined) await pages.router.navigate({ href: leadsTo })
  if (text !== undefined) showNotice({ text })
  await refresh(pages, pathname)
}

async function refresh(pages: PageStore, pathname: string): Promise<void> {
  const changes = listChanges(pathname)
  announceChanges(changes)
  await refreshData(pages, changes)
}

/** The page data that forms of a page change, by the prefix of its path: exactly this data is reloaded. */
const changesByPath: { begin: string; queryKeys: string[][] }[] = [
  {
    begin: '/settings/members',
    queryKeys: [
      ['settings', 'members'],
      ['projects', 'page'],
      ['issues', 'list'],
    ],
  },
  { begin: '/settings/tokens', queryKeys: [['settings', 'tokens']] },
  { begin: '/settings/notifications', queryKeys: [['settings', 'notifications']] },
  // Rules list the destinations.
  {
    begin: '/settings/destinations',
    queryKeys: [
      ['settings', 'destinations'],
      ['projects', 'page'],
    ],
  },
  { begin: '/settings/status-page', queryKeys: [['monitors', 'status-page']] },
  {
    begin: '/settings/import',
    queryKeys: [['settings', 'import'], ['projects'], ['issues', 'list']],
  },
  // The header shows the user's name, and every page has the shortcuts.
  { begin: '/settings', queryKeys: [['settings', 'account'], ['settings', 'members'], ['shell']] },
  { begin: '/monitors', queryKeys: [['monitors']] },
  // Most screens show a project's name and slug, and filters affect the content of the others.
  {
    begin: '/projects/',
    queryKeys: [['projects'], ['issues', 'list'], ['outcomes'], ['tunnel'], ['releases'], ['palette']],
  },
]

function listChanges(pathname: string): ChangedData[] {
  const { queryKeys = [] } = changesByPath.find(({ begin }) => pathname.startsWith(begin)) ?? {}
  return queryKeys.map((queryKey) => ({ queryKey }))
}
