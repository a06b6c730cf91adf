/** What waits for a code, such as a sign-in at its second step: its attempts, and its one end. @module */
export {
  type ChallengeOptions,
  Challenges,
  type CodeChallengeTable,
  type CodeChallengeTables,
  codeChallengeTables,
} from './challenges.ts'
