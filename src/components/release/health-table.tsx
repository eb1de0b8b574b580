import { stepText } from '#components/outcome/outcome-steps.ts'
import { exactCount, percentText, shareLeftText } from '#components/ui/number-text.ts'
import type { HealthStep, ReleaseHealthView } from '#server/store/release-views.ts'
import { shownStates, stateNames, sumStates } from './health-texts.ts'

/** The numbers behind the charts, newest first; steps without a session are left out. */
export function HealthTable({ health: { steps, since, stepMs, period } }: { health: ReleaseHealthView }) {
  const shown = [...steps.entries()].filter(([, { counts }]) => sumStates(counts) > 0)
  if (shown.length === 0) return <p className="quiet">No sessions in this time.</p>
  const columns = period === '24h' ? sessionColumns : [...sessionColumns, ...userColumns]
  return (
    <table className="outcome-time-table">
      <caption className="visually-hidden">Sessions over time</caption>
      <thead>
        <tr>
          <th scope="col">From</th>
          {columns.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.toReversed().map(([index, step]) => (
          <tr key={index}>
            <th scope="row">{stepText(since + index * stepMs, stepMs)}</th>
            {columns.map(({ name, of }) => {
              const text = of(step)
              return (
                <td key={name} data-name={name} data-none={text === '0' || undefined}>
                  {text}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
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
