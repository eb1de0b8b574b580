import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import { createApiToken, deleteApiToken, listApiTokens } from '#server/store/api-tokens.ts'
import { findFormState, type FormOutcome, type PostedForm } from './page-form.ts'
import { isTokenScope } from './token-scopes.ts'
import { mayConfigure, type Viewer } from './viewer.ts'
import type { ApiTokensView } from './views.ts'

/** The viewer's own tokens. One statement. */
export async function getApiTokensView(services: Services, viewer: Viewer): Promise<ApiTokensView> {
  const form = findFormState()
  return {
    now: services.clock(),
    origin: services.publicOrigin,
    organizationSlugs: viewer.memberships.map(({ organizationSlug }) => organizationSlug),
    mayConfigure: mayConfigure(viewer),
    tokens: await listApiTokens(services.store.db, viewer.userId),
    ...(form !== undefined && { form }),
  }
}

/** Answers a form of `/settings/tokens`: makes a token, which is shown this once, or revokes one of the viewer's own. */
export async function postApiTokens(services: Services, form: PostedForm): Promise<FormOutcome> {
  const { request, fields } = form
  const viewer = await services.accounts.findViewer(request.headers)
  if (viewer === undefined) return { kind: 'go', to: '/login?to=%2Fsettings%2Ftokens' }
  const { store } = services
  const { userId } = viewer
  if (fields['action'] === 'revoke') {
    await deleteApiToken(store, { userId, id: fields['token'] ?? '' })
    return { kind: 'go', to: '/settings/tokens' }
  }
  const name = fields['name']?.trim().slice(0, limits.nameCharacters) ?? ''
  // Read from the names of the boxes that are ticked: `scope-org:read`.
  const scopes = Object.keys(fields).flatMap((field) => {
    const scope = field.replace(/^scope-/, '')
    return scope !== field && isTokenScope(scope) ? [scope] : []
  })
  if (name === '')
    return refused(fields, { field: 'name', message: 'Give it a name that says what uses it.' })
  if (scopes.length === 0) return refused(fields, { field: 'scopes', message: 'Tick at least one of these.' })
  if ((await listApiTokens(store.db, userId)).length >= limits.tokensPerUser) {
    return refused(fields, { message: `You have ${limits.tokensPerUser} tokens: revoke one first.` })
  }
  const token = await createApiToken(store, { userId, name, scopes })
  return { kind: 'again', status: 200, values: { token }, problems: [] }
}

function refused(values: Record<string, string>, problem: { field?: string; message: string }): FormOutcome {
  return { kind: 'again', status: 422, values, problems: [problem] }
}
