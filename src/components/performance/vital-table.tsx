import { Count } from '#components/ui/count.tsx'
import { TableHead } from '#components/ui/table-head.tsx'
import type { ListedRoute, VitalFigures } from '#server/console/performance/views.ts'
import { rateVital, webVitals, type WebVital } from '#traces/web-vitals.ts'
import { columnDuration, shareText } from './figure-text.ts'
import { NoValue } from './no-value.tsx'
import { NumberCell } from './number-cell.tsx'

const names: Record<WebVital, { short: string; long: string }> = {
  lcp: { short: 'LCP', long: 'Largest Contentful Paint' },
  inp: { short: 'INP', long: 'Interaction to Next Paint' },
  cls: { short: 'CLS', long: 'Cumulative Layout Shift' },
  fcp: { short: 'FCP', long: 'First Contentful Paint' },
  ttfb: { short: 'TTFB', long: 'Time to First Byte' },
}

/** Routes with the 75th percentile of each web vital, and the shares of good and poor values. */
export function VitalTable({ routes }: { routes: readonly ListedRoute[] }) {
  return (
    <table className="data-table figure-table vital-table">
      <caption className="visually-hidden">Web vitals by route, 75th percentiles</caption>
      <TableHead
        columns={[
          { name: 'Route', className: 'name-cell' },
          ...webVitals.map((vital) => ({ name: names[vital].short, className: 'number-cell' })),
        ]}
      />
      <tbody>
        {routes.map((route) => (
          <tr key={`${route.project.id} ${route.id}`}>
            <th scope="row" className="name-cell">
              <bdi>{route.name}</bdi>
              <span className="figure-meta">{route.project.name}</span>
            </th>
            {webVitals.map((vital) => (
              <NumberCell key={vital} name={names[vital].short}>
                <Vital vital={vital} figures={route.vitals[vital]} />
              </NumberCell>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Vital({ vital, figures }: { vital: WebVital; figures: VitalFigures | undefined }) {
  if (figures === undefined) return <NoValue why="No values" />
  const { p75, count, goodShare, poorShare } = figures
  const rating = rateVital(vital, p75)
  const value = vital === 'cls' ? p75.toFixed(3) : columnDuration(p75)
  return (
    <>
      <span className="vital-value" data-rating={rating} title={`${names[vital].long}: ${rating}`}>
        {value}
        <span className="visually-hidden">, {rating}</span>
      </span>
      <span className="figure-meta">
        {`${shareText(goodShare)} good, ${shareText(poorShare)} poor of `}
        <Count value={count} />
      </span>
    </>
  )
}
