import { NodeRequest, sendNodeResponse } from 'srvx/node'
import { handleApiRequest } from '#server/api/handle-api-request.ts'
import { tokenScopes, type TokenScope } from '#server/auth/token-scopes.ts'
import { createApiToken } from '#server/store/accounts/api-tokens.ts'
import { errorEnvelope } from './envelopes.ts'
import { postEnvelope } from './post-envelope.ts'
import { addUser, type TestUser } from './session.ts'
import { fixtureProject, startServer, type TestServer } from './start-server.ts'

/** A server with the API, without the console. */
export function startApiServer(): Promise<TestServer> {
  return startServer({
    loadApp: async (services) => async (request, response) => {
      await sendNodeResponse(
        response,
        await handleApiRequest(services, new NodeRequest({ req: request, res: response })),
      )
    },
  })
}

/** Creates a user with a token. Default: an owner with every scope. */
export async function addToken(
  { services: { store } }: TestServer,
  user: Partial<TestUser> & { role?: 'viewer' | 'member' | 'owner'; scopes?: readonly TokenScope[] } = {},
): Promise<string> {
  const { name = 'tool', role = 'owner', scopes = tokenScopes } = user
  const userId = await addUser(
    store,
    { name, email: `${name}@example.com`, password: 'a password for tests' },
    role,
  )
  return createApiToken(store, { userId, name: 'for tests', scopes })
}

/** Sends an error to a project like an SDK, by default to the fixture's. */
export async function sendError(
  { origin }: TestServer,
  options: Parameters<typeof errorEnvelope>[0],
  project: { id: number; publicKey: string } = fixtureProject,
): Promise<void> {
  await postEnvelope(origin, errorEnvelope(options), { project })
}
