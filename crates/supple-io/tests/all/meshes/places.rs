//! Where meshes are looked for, and where not.

use super::Scratch;
use super::files::{gltf, gltf_buffer, stl_text};
use supple_io::mesh::{ColladaUp, MeshFolders, Meshes};

/// A robot's folder with the packages `arm` and `other` beside each other, and a file outside of what is named.
fn tree(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    for file in ["ros/arm/meshes/link.stl", "ros/arm/urdf/near.stl", "ros/other/x.stl", "secret.stl"] {
        scratch.put(file, stl_text());
    }
    scratch
}

fn found(scratch: &Scratch, folders: &[&str], name: &str) -> Result<(), String> {
    let folders = folders.iter().map(|folder| MeshFolders::at(&scratch.path().join(folder)).unwrap()).collect();
    let mut meshes = Meshes::new(&folders, Some(&scratch.path().join("ros/arm/urdf")), ColladaUp::Declared);
    match meshes.read(name, [1.0; 3]) {
        Ok(mesh) => mesh.map(|_| ()).ok_or_else(|| "not read".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn packages_and_paths_are_found_below_named_folders() {
    let scratch = tree("found");
    for (folders, name) in [
        (&["ros"][..], "package://arm/meshes/link.stl"),
        // The folder is the package, whatever it is called.
        (&["ros/arm"], "package://arm/meshes/link.stl"),
        (&["ros/arm"], "package://arm_description/meshes/link.stl"),
        (&["ros"], "model://other/x.stl"),
        (&["ros/arm"], "near.stl"),
        (&["ros/arm"], "../meshes/link.stl"),
        (&["ros/arm/meshes"], "link.stl"),
        (&["ros/arm/meshes", "ros/other"], "x.stl"),
    ] {
        assert_eq!(found(&scratch, folders, name), Ok(()), "{folders:?} {name}");
    }
    let whole = scratch.path().join("ros/other/x.stl");
    assert_eq!(found(&scratch, &["ros"], &format!("file://{}", whole.display())), Ok(()));
}

#[test]
fn nothing_else_is_read() {
    let scratch = tree("hidden");
    let outside = scratch.path().join("secret.stl");
    let whole = format!("file://{}", outside.display());
    for (name, told) in [
        ("../../../secret.stl", "outside"),
        ("package://arm/../../secret.stl", "outside"),
        (outside.to_str().unwrap(), "outside"),
        (&whole, "outside"),
        ("http://example.org/link.stl", "a URL; meshes are not downloaded"),
        ("https://example.org/link.stl", "a URL"),
        ("data:model/stl;base64,AAAA", "no such file"),
        ("package://arm/meshes/gone.stl", "no such file; check the name, and the folders that `--meshes` names"),
        ("..%2f..%2fsecret.stl", "percent-encoded"),
        ("meshes\\link.stl", "backslashes"),
        ("package://arm/meshes", "not a regular file"),
        ("", "the name is empty"),
        ("link\0.stl", "zero byte"),
    ] {
        let error = found(&scratch, &["ros"], name).unwrap_err();
        assert!(error.contains(told), "{name}: {error}");
    }
    assert!(MeshFolders::at(&outside).unwrap_err().to_string().contains("there is no folder"));
}

#[cfg(unix)]
#[test]
fn links_are_followed_before_it_is_asked_where_they_lead() {
    let scratch = tree("links");
    let put = |target: &str, link: &str| {
        std::os::unix::fs::symlink(scratch.path().join(target), scratch.path().join(link)).unwrap();
    };
    put("secret.stl", "ros/arm/meshes/out.stl");
    put("ros/other/x.stl", "ros/arm/meshes/in.stl");
    put(".", "ros/arm/up");
    for name in ["package://arm/meshes/out.stl", "package://arm/up/secret.stl"] {
        assert!(found(&scratch, &["ros"], name).unwrap_err().contains("outside"), "{name}");
    }
    assert_eq!(found(&scratch, &["ros"], "package://arm/meshes/in.stl"), Ok(()));
    assert!(found(&scratch, &["ros/arm"], "package://arm/meshes/in.stl").unwrap_err().contains("outside"));
    // What a mesh names obeys the same.
    std::fs::write(scratch.path().join("data.bin"), gltf_buffer()).unwrap();
    put("data.bin", "ros/arm/meshes/out.bin");
    scratch.put("ros/arm/meshes/a.gltf", gltf(r#""uri": "out.bin", "#, r#"[{"mesh": 0}]"#, ""));
    let error = found(&scratch, &["ros"], "package://arm/meshes/a.gltf").unwrap_err();
    assert!(error.contains("buffer 0: `out.bin`") && error.contains("outside"), "{error}");
}

#[test]
fn buffers_lie_beside_their_document() {
    let scratch = Scratch::new("beside");
    scratch.put("up.bin", gltf_buffer());
    for (uri, told) in [
        ("../up.bin", "leaves the folder by `..`"),
        ("http://example.org/a.bin", "a URL; meshes are not downloaded"),
        ("data:application/octet-stream;base64,AAAA", "data inside of the text; export it as .glb"),
        ("gone.bin", "no such file"),
    ] {
        let text = gltf(&format!(r#""uri": "{uri}", "#), r#"[{"mesh": 0}]"#, "");
        let error = scratch.read("below/a.gltf", text).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(told), "{uri}: {error}");
    }
}

#[test]
fn without_a_folder_no_mesh_is_read_and_it_is_said_how() {
    let scratch = tree("none");
    let mut meshes = Meshes::new(&MeshFolders::default(), Some(scratch.path()), ColladaUp::Declared);
    assert_eq!(meshes.unread(), None);
    assert_eq!(meshes.read("secret.stl", [1.0; 3]), Ok(None));
    assert_eq!(meshes.unread().unwrap().0, "the mesh `secret.stl` is not read");
    for name in ["secret.stl", "http://example.org/a.stl"] {
        assert_eq!(meshes.read(name, [1.0; 3]), Ok(None));
    }
    let (what, remedy) = meshes.unread().unwrap();
    assert_eq!(what, "2 meshes are not read, the first is `secret.stl`");
    assert!(remedy.contains("--meshes FOLDER"));
}
