import * as v from 'valibot'
import { isTokenScope, listUsableScopes } from '#server/auth/token-scopes.ts'
import { canConfigure, type Viewer } from '#server/auth/viewer.ts'
import { rawText, text, texts } from '#server/forms/fields.ts'
import { reject } from '#server/forms/form.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import { createApiToken, deleteApiToken, listApiTokens } from '#server/store/accounts/api-tokens.ts'
import { accountForm, accountPageForms } from './account-form.ts'
import type { ApiTokensView } from './views.ts'

/** The viewer's own tokens. One statement. */
export async function getApiTokensView(services: Services, viewer: Viewer): Promise<ApiTokensView> {
  return {
    now: services.clock(),
    origin: services.publicOrigin,
    organizationSlugs: viewer.memberships.map(({ organizationSlug }) => organizationSlug),
    canConfigure: canConfigure(viewer),
    scopes: listUsableScopes(viewer),
    tokens: await listApiTokens(services.store.db, viewer.userId),
  }
}

const tokenFields = v.object({
  name: v.pipe(
    text,
    v.nonEmpty('Enter a name for the token.'),
    v.transform((name) => name.slice(0, limits.nameCharacters)),
  ),
  scopes: v.pipe(
    texts,
    v.transform((scopes) => scopes.filter(isTokenScope)),
    v.nonEmpty('Choose at least one scope.'),
  ),
})

/** Creates a token, which is displayed only this once. */
const create = accountForm(tokenFields, async ({ services: { store }, viewer, fields }) => {
  const { userId } = viewer
  const usable = listUsableScopes(viewer)
  const others = fields.scopes.filter((scope) => !usable.includes(scope))
  if (others.length > 0) {
    const message = `Your role doesn’t allow ${others.join(', ')}. Choose other scopes.`
    return reject([{ field: 'scopes', message }])
  }
  if ((await listApiTokens(store.db, userId)).length >= limits.tokensPerUser)
    return reject(`You have ${limits.tokensPerUser} tokens: revoke one first.`)
  const token = await createApiToken(store, { userId, ...fields })
  return { kind: 'shown', shown: { kind: 'token', token } }
})

const revoke = accountForm(v.object({ token: rawText }), async ({ services, viewer, fields }) => {
  await deleteApiToken(services.store, { userId: viewer.userId, id: fields.token })
  return { kind: 'done', text: 'Token revoked.' }
})

/** The forms of `/settings/tokens`. */
export const apiTokenForms = accountPageForms({ create, revoke })
