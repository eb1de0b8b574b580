/** Once a day: Vercel rejects deployments of its Hobby plan with a schedule that runs more often. */
const onceADay = '17 3 * * *'

/**
 * The schedule of the cron route, from `CULVERT_CRON_SCHEDULE` at build time: five fields in the syntax of
 * cron and Vercel. Throws if it is invalid.
 */
export function readCronSchedule(variables: Record<string, string | undefined>): string {
  const { CULVERT_CRON_SCHEDULE: schedule = '' } = variables
  if (schedule === '') return onceADay
  if (/^[0-9*,/-]+(?: [0-9*,/-]+){4}$/.test(schedule)) return schedule
  throw new Error(
    `CULVERT_CRON_SCHEDULE is ${JSON.stringify(schedule)}: it must have five fields of numbers and * , / -. ` +
      'Example: CULVERT_CRON_SCHEDULE="* * * * *"',
  )
}
