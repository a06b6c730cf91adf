import { Challenges as AnyChallenges } from 'sallyport-app/challenges'
import { CHALLENGE_ATTEMPTS } from '../limits/limits.ts'

/** What waits for a code: pending logins, enrollments and confirmations. */
export class Challenges extends AnyChallenges {
  constructor() {
    super({ accounts: 'account', attempts: CHALLENGE_ATTEMPTS })
  }
}
