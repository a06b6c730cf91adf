/** Files on Node: public folders, a storage for uploads, and responses with stored files. @module */
export { DiskFileStorage } from './disk-file-storage.ts'
export { sendFile, type SendFileOptions } from './send-file.ts'
export { StaticFiles } from './static-files.ts'
