import { toNoticePath } from '#alerts/notice.ts'
import { EmptyState } from '#components/layout/empty-state.tsx'
import { PageHeader } from '#components/layout/page-header.tsx'
import { ActionForm, type FormAction } from '#components/ui/form/action-form.tsx'
import { Icon } from '#components/ui/icon.tsx'
import { LinkTabs } from '#components/ui/link-tabs.tsx'
import { Link } from '#components/ui/link.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import { Time } from '#components/ui/time/time.tsx'
import type { InboxView } from '#server/console/alerts/views.ts'
import type { InboxItem } from '#server/store/alerts/records.ts'
import { transitionTexts } from './transition-text.ts'
import '#styles/settings.css'

/** The `/inbox` screen: the viewer's notifications, without mail or chat. */
export function Inbox({ view, isAll, action }: { view: InboxView; isAll: boolean; action: FormAction }) {
  const { items, unreadCount, isCountCut, now } = view
  return (
    <NowProvider now={now}>
      <PageHeader title="Inbox" description={<Link to="/settings/notifications">Notification settings</Link>}>
        {unreadCount === 0 ? null : (
          <ActionForm action={action} label="All notifications">
            <input type="hidden" name="action" value="mark" />
            <button type="submit" className="button" name="all" value="1">
              Mark all as read
            </button>
          </ActionForm>
        )}
      </PageHeader>
      <LinkTabs label="Notifications">
        <Link
          to="/inbox"
          search={{}}
          activeOptions={{ exact: true }}
          aria-current={isAll ? undefined : 'page'}
        >
          Unread
          <span className="tab-count">{`${unreadCount}${isCountCut ? '+' : ''}`}</span>
        </Link>
        <Link to="/inbox" search={{ show: 'all' }} aria-current={isAll ? 'page' : undefined}>
          All
        </Link>
      </LinkTabs>
      {items.length === 0 ? <EmptyInbox isAll={isAll} /> : <InboxList items={items} action={action} />}
    </NowProvider>
  )
}

function EmptyInbox({ isAll }: { isAll: boolean }) {
  return (
    <EmptyState title={isAll ? 'No notifications yet' : 'No unread notifications'}>
      <p>
        The inbox lists new and regressed issues of your projects, and changes of issues assigned to you.{' '}
        <Link to="/settings/notifications">Choose your notifications</Link>, or change the rules of a project
        in its settings.
      </p>
    </EmptyState>
  )
}

function InboxList({ items, action }: { items: readonly InboxItem[]; action: FormAction }) {
  return (
    <ActionForm action={action} label="Notifications">
      <input type="hidden" name="action" value="mark" />
      <ol className="inbox">
        {items.map((item) => (
          <InboxRow key={item.key} item={item} />
        ))}
      </ol>
    </ActionForm>
  )
}

function InboxRow({ item }: { item: InboxItem }) {
  const { key, transition, at, isRead, issue, notice, project } = item
  const title = issue?.title ?? notice?.title ?? ''
  const mark = `Mark as ${isRead ? 'unread' : 'read'}`
  return (
    <li data-read={isRead}>
      <div className="inbox-text">
        <p className="quiet">
          {isRead ? null : <span className="visually-hidden">Unread: </span>}
          <strong>{transitionTexts[transition]}</strong>
          <span className="inbox-project">
            {' '}
            in <bdi>{project.name}</bdi>
          </span>{' '}
          · {issue === undefined ? null : <span className="unbroken">{issue.shortId} · </span>}
          <Time at={at} />
        </p>
        <InboxLink item={item} />
      </div>
      <button
        type="submit"
        className="icon-button"
        name={isRead ? 'unread' : 'read'}
        value={key}
        data-shortcut="resolve"
        title={mark}
        aria-label={`${mark}: ${title}`}
      >
        <Icon name={isRead ? 'undo' : 'check'} />
      </button>
    </li>
  )
}

function InboxLink({ item: { issue, notice, project } }: { item: InboxItem }) {
  if (issue === undefined)
    return notice === undefined ? null : (
      <a href={toNoticePath(notice, project.slug)} className="row-link">
        <bdi>{notice.title}</bdi>
      </a>
    )
  const { id, title, subtitle } = issue
  return (
    <Link to="/issues/$issueId" params={{ issueId: id }} className="row-link">
      <bdi>{title}</bdi>
      {subtitle === '' ? null : (
        <>
          {' '}
          <bdi className="quiet">{subtitle}</bdi>
        </>
      )}
    </Link>
  )
}
