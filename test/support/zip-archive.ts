import { crc32, deflateRawSync } from 'node:zlib'

/** A ZIP of stored and deflated files, whose headers may have wrong sizes. */
export function zipOf(files: { name: string; data: Buffer; claimedBytes?: number }[]): Buffer<ArrayBuffer> {
  const [locals, directory]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const { name, data, claimedBytes = data.byteLength } of files) {
    const packed = deflateRawSync(data)
    const sizes = Buffer.alloc(16)
    sizes.writeUInt32LE(crc32(data), 0)
    sizes.writeUInt32LE(packed.byteLength, 4)
    sizes.writeUInt32LE(claimedBytes, 8)
    sizes.writeUInt16LE(Buffer.byteLength(name), 12)
    const shared = Buffer.concat([Buffer.from([20, 0, 0, 0, 8, 0, 0, 0, 0, 0]), sizes])
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), shared, Buffer.from(name), packed])
    const ends = Buffer.alloc(14)
    ends.writeUInt32LE(offset, 10)
    directory.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), shared, ends, Buffer.from(name)]),
    )
    locals.push(local)
    offset += local.byteLength
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(listed.byteLength, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, listed, end])
}
