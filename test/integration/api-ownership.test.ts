import { afterAll, expect, it } from 'vitest'
import { createApiCaller } from '#test/api-call.ts'
import { addToken, startApiServer } from '#test/api-server.ts'

const server = await startApiServer()
const call = createApiCaller(server.origin, await addToken(server))
afterAll(() => server.stop())

const path = '/projects/default/fixture/ownership/'
const put = (body: object) => call(path, { method: 'PUT', body })

it('reads and changes the owners of a project, and keeps fields that are not sent', async () => {
  expect((await call(path)).json).toEqual({
    raw: '',
    codeOwners: '',
    autoAssignment: 'Turn off Auto-Assignment',
    isActive: true,
    fallthrough: false,
  })
  await put({ raw: 'path:src/* ada@example.com', autoAssignment: 'Auto Assign to Issue Owner' })
  expect((await put({ codeOwners: '/docs/ @bo' })).json).toMatchObject({
    raw: 'path:src/* ada@example.com',
    codeOwners: '/docs/ @bo',
    autoAssignment: 'Auto Assign to Issue Owner',
  })
})

it('rejects invalid lines with their number, and changes nothing', async () => {
  const before = (await call(path)).json
  const rejected = await put({ raw: 'path:src/* ada@example.com\nnonsense' })
  expect([rejected.status, JSON.stringify(rejected.json)]).toEqual([400, textStart('{"raw":["Line 2: ')])
  expect((await put({ raw: 'x'.repeat(64_001) })).status).toBe(400)
  expect((await put({ autoAssignment: 'perhaps' })).status).toBe(400)
  expect((await call(path)).json).toEqual(before)
})

it('shows the addresses of owners to members, and not to viewers', async () => {
  const token = await addToken(server, { name: 'viewer', role: 'viewer' })
  expect((await call(path, { token })).status).toBe(403)
})

function textStart(part: string): unknown {
  return expect.stringContaining(part)
}
