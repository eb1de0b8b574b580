import { symmetricDecrypt } from 'better-auth/crypto'

/**
 * Decrypts the secret of a second factor (`two_factors.secret`). Undefined if it was encrypted with another
 * secret.
 */
export async function openSecondFactor(
  key: Parameters<typeof symmetricDecrypt>[0]['key'],
  sealed: string,
): Promise<string | undefined> {
  return symmetricDecrypt({ key, data: sealed }).catch(() => undefined)
}
