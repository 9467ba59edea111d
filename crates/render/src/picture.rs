//! Pictures as PNG files.

use std::io;

/// The name of the program in picture metadata.
pub const SOFTWARE: &str = "Threshold";

/// Rows of RGBA bytes, top to bottom, as an opaque PNG.
pub fn encode_rgba(size: (u32, u32), rgba: &[u8]) -> io::Result<Vec<u8>> {
    let rgb: Vec<u8> = rgba.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    encode_rgb(size, &rgb)
}

/// Encodes rows of RGB bytes, top to bottom, as PNG. The number of bytes must match the size.
pub fn encode_rgb((width, height): (u32, u32), rgb: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.add_text_chunk("Software".to_owned(), SOFTWARE.to_owned())?;
    let mut writer = encoder.write_header()?;
    writer.write_image_data(rgb)?;
    writer.finish()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoded_picture_is_read_back_without_its_alpha() {
        let bytes = encode_rgba((2, 1), &[1, 2, 3, 0, 4, 5, 6, 255]).unwrap();
        let mut reader = png::Decoder::new(io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        assert_eq!((reader.info().width, reader.info().height), (2, 1));
        assert_eq!(pixels, [1, 2, 3, 4, 5, 6]);
        assert!(encode_rgb((2, 2), &[0; 6]).is_err());
    }
}
