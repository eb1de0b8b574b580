import { createHmac } from 'node:crypto'

/** Reports of trackers as their documentation describes them, and their signatures. */

const signers = {
  github: (signature: string) => ({
    'x-github-event': 'issues',
    'x-hub-signature-256': `sha256=${signature}`,
    'x-hub-signature': 'sha1=0123456789abcdef0123456789abcdef01234567',
  }),
  jira: (signature: string) => ({ 'x-hub-signature': `sha256=${signature}` }),
  linear: (signature: string) => ({ 'linear-event': 'Issue', 'linear-signature': signature }),
}

/** Posts a report to the address of a webhook as a tracker signs it. Returns the status. */
export async function postTrackerReport(
  url: string,
  { tracker, body, secret }: { tracker: keyof typeof signers; body: object | string; secret: string },
): Promise<number> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const signature = createHmac('sha256', secret).update(text).digest('hex')
  const headers: Record<string, string> = signers[tracker](signature)
  return (await fetch(url, { method: 'POST', headers, body: text })).status
}

/** The issue ENG-7 of acme.atlassian.net got a status of this category. */
export function jiraReport(category: string, timestamp: unknown = Date.now()): object {
  return {
    timestamp,
    webhookEvent: 'jira:issue_updated',
    issue_event_type_name: 'issue_generic',
    issue: {
      id: '10002',
      self: 'https://acme.atlassian.net/rest/api/2/10002',
      key: 'ENG-7',
      fields: { summary: 'Cart', status: { name: 'Done', statusCategory: { id: 3, key: category } } },
    },
    changelog: { id: '1', items: [{ field: 'status', fieldtype: 'jira', to: '3' }] },
  }
}

/** The issue OPS-9 of the workspace `acme`, whose title has changed, got a state of this type. */
export function linearReport(type: string, webhookTimestamp: unknown = Date.now()): object {
  return {
    action: 'update',
    type: 'Issue',
    organizationId: '11111111-2222-4333-8444-555555555555',
    url: 'https://linear.app/acme/issue/OPS-9/new-title',
    data: { identifier: 'OPS-9', state: { id: 's', name: 'Done', type } },
    updatedFrom: { stateId: 't' },
    webhookTimestamp,
  }
}
