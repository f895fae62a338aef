/** An answer that is a file, for an endpoint that names its media type. */
export class FileReply {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What a browser calls the file when it keeps it. */
  readonly name: string;
  constructor(bytes: Uint8Array<ArrayBuffer>, name: string) {
    this.bytes = bytes;
    this.name = name;
  }
}
