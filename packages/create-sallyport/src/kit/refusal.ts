/** Nothing was changed, because of something that the person at the terminal can mend. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}
