import type { Server } from 'node:http'
import { toHttpOrigin, type Env } from '#server/env.ts'
import { errorCode, errorMessage, OperatorError } from '#server/errors.ts'
import { limits } from '#server/limits.ts'

/**
 * Starts listening on the address of `env` and returns the origin of the server. Throws an `OperatorError` if
 * the port is in use, forbidden or not an address of this machine.
 */
export function listen(server: Server, env: Pick<Env, 'host' | 'port'>): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(new OperatorError(listenProblem(error, env)))
    server.once('error', fail)
    server.listen({ port: env.port, host: env.host, backlog: limits.listenBacklog }, () => {
      server.off('error', fail)
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : env.port
      resolve(toHttpOrigin(env.host, port))
    })
  })
}

function listenProblem(error: Error, { host, port }: Pick<Env, 'host' | 'port'>): string {
  const code = errorCode(error)
  if (code === 'EADDRINUSE') {
    return `Port ${port} on ${host} is in use by another process. Stop it, or choose another port with PORT (0 is any free one).`
  }
  if (code === 'EACCES') return `This user may not listen on port ${port}. Choose one above 1023 with PORT.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `${host} is not an address of this machine. Set HOST to one that is, for example HOST=127.0.0.1.`
  }
  return `Culvert cannot listen on ${host}, port ${port}: ${errorMessage(error)}`
}
