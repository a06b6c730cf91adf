/** What pages say about limits that were reached. */
export const waits = {
  'wait.minutes':
    '{minutes, plural, one {Wait # minute and try again.} other {Wait # minutes and try again.}}',
  'wait.hours': '{hours, plural, one {Wait an hour and try again.} other {Wait # hours and try again.}}',
}
