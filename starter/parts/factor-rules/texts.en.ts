/** Its texts in English. */
export const en = {
  'duty.reminder':
    'Your account must have a second step. From {date} on, you must set it up before you can sign in.',
  'duty.overdue': 'Your account must have a second step. You must set it up at your next sign-in.',
  'duty.reminder.passkey':
    'Your account must have a passkey. From {date} on, you must add one before you can sign in.',
  'duty.overdue.passkey': 'Your account must have a passkey. You must add one at your next sign-in.',
} as const
