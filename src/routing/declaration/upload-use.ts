// Says only whether work can be saved: whether any declaration in this process takes uploads.
let isUsed = false

/** Notes that a declaration takes uploads. */
export function noteUpload(): void {
  isUsed = true
}

/** Whether some declaration in this process takes uploads, of whatever application. If none does, none is searched for. */
export function usesUploads(): boolean {
  return isUsed
}
