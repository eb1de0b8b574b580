import { hkdfSync } from 'node:crypto'
import { createSecretBox } from '#server/alerts/channels/secret-box.ts'
import type { SealedTrackerSecrets } from '#server/store/installation/health.ts'
import { readInstallationSecret } from '#server/store/installation/secret.ts'
import type { Store } from '#server/store/store.ts'

/** The dependencies of storing tracker secrets. `secret`: the operator's. */
export interface TrackerKeeper {
  store: Store
  secret: string | undefined
}

/** Encrypts the token of a project's tracker, like the secrets of destinations. */
export async function sealTrackerToken(
  { store, secret }: TrackerKeeper,
  projectId: number,
  token: string,
): Promise<string> {
  return createSecretBox(await readInstallationSecret(store, secret)).seal(token, ownerOf(projectId))
}

/** The token; undefined if there is none, or it was encrypted with another secret. */
export async function openTrackerToken(
  { store, secret }: TrackerKeeper,
  projectId: number,
  sealed: string,
): Promise<string | undefined> {
  if (sealed === '') return undefined
  return createSecretBox(await readInstallationSecret(store, secret)).open(sealed, ownerOf(projectId))
}

/** Encrypts the secret with which Linear signs its reports to a project. */
export async function sealLinearSecret(
  { store, secret }: TrackerKeeper,
  projectId: number,
  linearSecret: string,
): Promise<string> {
  const box = createSecretBox(await readInstallationSecret(store, secret))
  return box.seal(linearSecret, webhookOwnerOf(projectId))
}

/** The secret; undefined if there is none, or it was encrypted with another secret. */
export async function openLinearSecret(
  { store, secret }: TrackerKeeper,
  projectId: number,
  sealed: string,
): Promise<string | undefined> {
  if (sealed === '') return undefined
  const box = createSecretBox(await readInstallationSecret(store, secret))
  return box.open(sealed, webhookOwnerOf(projectId))
}

/** The encrypted secrets of a project that cannot be decrypted with the installation's secret. */
export function findUnreadableSecrets(
  installationSecret: string,
  { projectId, sealedToken, sealedWebhookSecret }: SealedTrackerSecrets,
): string[] {
  const box = createSecretBox(installationSecret)
  const isUnreadable = (sealed: string, owner: string) =>
    sealed !== '' && box.open(sealed, owner) === undefined
  return [
    ...(isUnreadable(sealedToken, ownerOf(projectId)) ? ['token'] : []),
    ...(isUnreadable(sealedWebhookSecret, webhookOwnerOf(projectId)) ? ['secret of Linear'] : []),
  ]
}

function webhookOwnerOf(projectId: number): string {
  return `webhook of Linear to project ${projectId}`
}

function ownerOf(projectId: number): string {
  return `issue tracker of project ${projectId}`
}

/** The secret with which a tracker signs its reports, derived from that of the installation. */
export async function readWebhookSecret(
  { store, secret }: TrackerKeeper,
  projectId: number,
): Promise<string> {
  const installation = await readInstallationSecret(store, secret)
  const key = hkdfSync('sha256', installation, '', `culvert issue webhook of project ${projectId}`, 24)
  return Buffer.from(key).toString('hex')
}

/** The path to which a tracker sends its reports. */
export function toWebhookPath(projectId: number): string {
  return `/api/hooks/issues/${projectId}`
}
