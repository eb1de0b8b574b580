import { connect } from 'node:net'

/**
 * Sends bytes over a new TCP connection and collects the answer until the server closes or `timeoutMs` have
 * passed. For requests that no HTTP client would send.
 */
export function exchangeRaw(origin: string, bytes: string | Uint8Array, timeoutMs = 20_000): Promise<string> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    const finish = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(received)
    }
    const timer = setTimeout(finish, timeoutMs)
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1')
    })
    socket.on('close', finish).on('error', finish)
  })
}
