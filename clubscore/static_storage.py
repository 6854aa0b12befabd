"""Static files under names that tell their content, our JavaScript modules and what they import among them."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticStorage(CompressedManifestStaticFilesStorage):
    support_js_module_import_aggregation = True
    # Other packages' modules import what they do not ship.
    _js_module_import_aggregation_patterns = (
        "js/*.js",
        CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1],
    )
    # One pass for each module on the longest way from a page's script through its imports.
    max_post_process_passes = 20
