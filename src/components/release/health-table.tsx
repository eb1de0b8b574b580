import { StepTable } from '#components/ui/chart/step-table.tsx'
import { exactCount, percentText, shareLeftText } from '#numbers/number-text.ts'
import type { HealthStep, HealthHistory } from '#server/store/releases/records.ts'
import { shownStates, stateNames, sumStates } from './health-texts.ts'

/** The numbers behind the charts, newest first; steps without a session are left out. */
export function HealthTable({ health: { steps, since, stepMs, period } }: { health: HealthHistory }) {
  const shown = steps.flatMap(({ counts }, index) => (sumStates(counts) > 0 ? [index] : []))
  if (shown.length === 0) return <p className="quiet">No sessions in this period.</p>
  const columns = period === '24h' ? sessionColumns : [...sessionColumns, ...userColumns]
  return (
    <StepTable
      caption="Sessions over time"
      columns={columns.map(({ name, of }) => ({
        name,
        textOf: (index) => {
          const step = steps[index]
          return step === undefined ? '' : of(step)
        },
      }))}
      steps={shown}
      since={since}
      stepMs={stepMs}
    />
  )
}

interface Column {
  name: string
  of: (step: HealthStep) => string
}

const sessionColumns: readonly Column[] = [
  { name: 'sessions', of: ({ counts }) => exactCount(sumStates(counts)) },
  ...shownStates
    .filter((state) => state !== 'healthy')
    .map((state) => ({ name: stateNames[state], of: ({ counts }: HealthStep) => exactCount(counts[state]) })),
  { name: 'crash-free', of: ({ counts }) => shareLeftText(counts.crashed, sumStates(counts)) },
  {
    name: 'adoption',
    of: ({ counts, projectSessionCount }) => percentText(sumStates(counts), projectSessionCount),
  },
]

const userColumns: readonly Column[] = [
  { name: 'users', of: ({ userCount }) => exactCount(userCount) },
  {
    name: 'crash-free users',
    of: ({ userCount, crashedUserCount }) => shareLeftText(crashedUserCount, userCount),
  },
]
