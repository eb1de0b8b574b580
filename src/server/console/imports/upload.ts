import type { Viewer } from '#server/auth/viewer.ts'
import { formatNoticeCookie } from '#server/forms/notice-cookie.ts'
import { redirectTo } from '#server/forms/redirect.ts'
import { requireSameOrigin } from '#server/forms/same-origin.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import { canImport, uploadBackup } from './import-page.ts'

const page = '/settings/import'

/**
 * Handles the upload of a backup, which a browser posts as a separate form, because other forms accept no
 * files. The body is read only for users who may import.
 */
export async function answerBackupUpload(
  services: Services,
  viewer: Viewer | undefined,
  request: Request,
): Promise<Response> {
  const rejection = requireSameOrigin(request, { isAction: true })
  if (rejection !== undefined) return rejection
  if (viewer === undefined) return redirectTo(`/login?to=${encodeURIComponent(page)}`)
  if (!canImport(viewer)) return answer('Nothing was imported: only admins and owners can import.')
  const sent = await readUpload(request)
  const problem = typeof sent === 'string' ? sent : await uploadBackup(services, viewer, sent)
  return answer(problem === undefined ? 'Reading the backup. Nothing is changed yet.' : problem)
}

async function readUpload(request: Request): Promise<{ content: string; organization: string } | string> {
  let form: FormData
  try {
    form = await request.formData()
  } catch {
    const megabytes = limits.importUploadBytes / 1_000_000
    return `The file is larger than ${megabytes} MB, or was sent only in part. The command line imports larger ones.`
  }
  const file = form.get('file')
  const organization = form.get('organization')
  if (!(file instanceof File) || file.size === 0) return 'Choose the JSON file of a backup.'
  return {
    content: await file.text(),
    organization: typeof organization === 'string' ? organization.trim() : '',
  }
}

function answer(text: string): Response {
  return redirectTo(page, [formatNoticeCookie({ text })])
}
