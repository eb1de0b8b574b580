import { LevelMark } from '#components/ui/level-mark.tsx'
import { MarkedText } from '#components/ui/marked-text.tsx'
import { TableHead } from '#components/ui/table-head.tsx'
import { isoInstant, offsetText } from '#components/ui/time/relative-time.ts'
import { useTimeZone } from '#components/ui/time/time-zone.tsx'
import type { Breadcrumb } from '#protocol/event.ts'
import { formatInstant } from '#time/time-zone.ts'
import { BreadcrumbData } from './breadcrumb-data.tsx'

/** Breadcrumbs in the given order; each time is relative to the event. */
export function BreadcrumbTable({
  breadcrumbs,
  occurredAt,
}: {
  breadcrumbs: readonly Breadcrumb[]
  occurredAt: number
}) {
  return (
    <table className="breadcrumb-table">
      <TableHead columns={['Time', 'Category', 'Message and data']} />
      <tbody>
        {breadcrumbs.map((breadcrumb, index) => (
          <BreadcrumbRow key={index} breadcrumb={breadcrumb} occurredAt={occurredAt} />
        ))}
      </tbody>
    </table>
  )
}

function BreadcrumbRow({ breadcrumb, occurredAt }: { breadcrumb: Breadcrumb; occurredAt: number }) {
  const zone = useTimeZone()
  const { at, level, data } = breadcrumb
  return (
    <tr data-level={level}>
      <td className="breadcrumb-time">
        {at === undefined ? null : (
          <time dateTime={isoInstant(at)} title={formatInstant(at, zone)}>
            {offsetText(at - occurredAt)}
          </time>
        )}
      </td>
      <td className="breadcrumb-category">
        <LevelMark level={level} /> <bdi>{breadcrumb.category ?? breadcrumb.type ?? 'default'}</bdi>
      </td>
      <td className="breadcrumb-message">
        {breadcrumb.message === undefined ? null : (
          <p dir="auto">
            <MarkedText text={breadcrumb.message} />
          </p>
        )}
        {data === undefined ? null : <BreadcrumbData data={data} />}
      </td>
    </tr>
  )
}
