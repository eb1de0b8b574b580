/** The monitor of the snippets. */
interface SetUp {
  origin: string
  publicKey: string
  slug: string
  name: string
  badgeUrl: string
  /** The schedule of the monitor, if it is a crontab. */
  crontab?: string | undefined
}

/** Snippets with which several kinds of jobs send check-ins, each with a label. */
export function setUpTexts({
  origin,
  publicKey,
  slug,
  name,
  badgeUrl,
  crontab = '0 4 * * *',
}: SetUp): { label: string; code: string }[] {
  const url = `${origin}/ping/${publicKey}/${slug}`
  const curl = 'curl -fsS -m 10 --retry 5 -o /dev/null'
  return [
    { label: 'Shell', code: `${curl} ${url}/start\n./job.sh\n${curl} ${url}/$?` },
    { label: 'Crontab', code: `${crontab} ${curl} ${url}/start; ./job.sh; ${curl} ${url}/$?` },
    { label: 'Node.js', code: `await Sentry.withMonitor('${slug}', async () => {\n  await job()\n})` },
    {
      label: 'Python',
      code: `from sentry_sdk.crons import monitor\n\n\n@monitor(monitor_slug='${slug}')\ndef job():\n    ...`,
    },
    {
      label: 'systemd unit',
      // The status of a job that was ended by a signal is not a number.
      code: `[Service]\nType=oneshot\nExecStartPre=-${curl} ${url}/start\nExecStart=/usr/local/bin/job\nExecStopPost=-/bin/sh -c '[ "$$SERVICE_RESULT" = success ] && end=0 || end=fail; ${curl} ${url}/$$end'`,
    },
    {
      label: 'GitHub Actions',
      code: `    steps:\n      - run: ${curl} ${url}/start\n      - run: ./job.sh\n      - if: always()\n        run: ${curl} ${url}/\${{ job.status == 'success' && '0' || 'fail' }}`,
    },
    {
      label: 'Kubernetes CronJob',
      code: `          containers:\n            - name: job\n              command: [/bin/sh, -c]\n              args: ["${curl} ${url}/start; ./job.sh; ${curl} ${url}/$?"]`,
    },
    {
      label: 'Badge, in Markdown',
      code: `![${name.replaceAll(/[[\]\\]/g, '')}](${badgeUrl})`,
    },
  ]
}
