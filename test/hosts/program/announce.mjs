/**
 * Tells the test where a host listens.
 *
 * @param {number} port Its port.
 */
export function announce(port) {
  console.log(`listening on ${port}`)
}
