/** Its texts in English. */
export const en = {
  'duty.reminder.totp':
    'Your account must have a second step. From {date} on, you must set it up before you can sign in.',
  'duty.overdue.totp': 'Your account must have a second step. You must set it up at your next sign-in.',
} as const
