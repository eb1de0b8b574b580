import type { Services } from '#server/services.ts'
import { isBearer } from './bearer.ts'

/**
 * Answers the host's scheduler: runs a slice of housekeeping. Disabled without `CRON_SECRET`, because any
 * client could keep the database busy.
 */
export async function answerCron(
  { env, housekeeping }: Pick<Services, 'env' | 'housekeeping'>,
  request: Request,
): Promise<Response> {
  const headers = { 'cache-control': 'no-store' }
  if (env.cronSecret === undefined) {
    const detail = 'This route is closed: set CRON_SECRET, and let the scheduler send it as a bearer token.'
    return Response.json({ detail }, { status: 404, headers })
  }
  if (!isBearer(request.headers, env.cronSecret)) {
    const detail = 'The bearer token is missing or is not CRON_SECRET.'
    const challenge = { ...headers, 'www-authenticate': 'Bearer realm="cron"' }
    return Response.json({ detail }, { status: 401, headers: challenge })
  }
  const report = await housekeeping.runSlice()
  return Response.json(report, { status: report.failed.length === 0 ? 200 : 500, headers })
}
