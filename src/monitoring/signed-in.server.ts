import type { Accounts } from '#server/auth/accounts.ts'

/**
 * True for a request of a signed-in user. Used for a request that failed: also false if the failure prevents
 * the check.
 */
export async function isSignedIn(request: Request, accounts: Pick<Accounts, 'findViewer'>): Promise<boolean> {
  try {
    return (await accounts.findViewer(request.headers)) !== undefined
  } catch {
    return false
  }
}
