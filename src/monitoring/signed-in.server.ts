import type { Accounts } from '#server/auth/accounts.ts'

/**
 * True for a request of somebody who is signed in. Asked about a request that failed: false, too, where what
 * broke it keeps that from being found out.
 */
export async function isSignedIn(request: Request, accounts: Pick<Accounts, 'findViewer'>): Promise<boolean> {
  try {
    return (await accounts.findViewer(request.headers)) !== undefined
  } catch {
    return false
  }
}
